import subprocess
import sys

from tgraph_attn._kernel import kernel


def test_a_kernel_computes_and_has_no_gil():
    @kernel()
    def double(number):
        return 2 * number

    assert double(21) == 42 and double.targetoptions["nogil"]


def test_without_a_place_for_the_cache_kernels_are_compiled_all_the_same():
    # When a function is decorated, numba looks for a folder to write to, and raises without one.
    code = (
        "from numba.core import caching\n"
        "for way in (caching.CacheImpl, *caching.CacheImpl.__subclasses__()):\n"
        "    way._locator_classes = []\n"
        "from tgraph_attn.relations import ancestor_edges\n"
        "print(ancestor_edges([-1, 0])[1].tolist())\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.stdout == "[7, 8, 6, 7]\n", ran.stderr
