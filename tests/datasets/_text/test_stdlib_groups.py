from tgraph_attn.datasets._raw.source_files import source_files, stdlib_folder
from tgraph_attn.datasets._text.stdlib_groups import _MODULES, GROUP_OF


def test_there_are_eight_groups_and_no_module_is_in_two():
    assert len(set(GROUP_OF.values())) == len(_MODULES) == 8
    assert len(GROUP_OF) == sum(len(names.split()) for names in _MODULES.values())


def test_each_group_has_files_in_this_python():
    tops = {name.split("/")[0].removesuffix(".py") for name in source_files(stdlib_folder())}
    for group, names in _MODULES.items():
        assert len(tops & set(names.split())) >= 3, group
