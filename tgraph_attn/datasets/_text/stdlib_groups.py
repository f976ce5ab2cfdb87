"""Eight groups of the standard library's packages: the classes of its docstrings."""

_MODULES = {
    "concurrency": """
        asyncio multiprocessing concurrent threading _threading_local queue subprocess sched
        selectors signal contextvars asyncore asynchat
    """,
    "files": """
        pathlib os shutil tempfile tarfile zipfile gzip bz2 lzma compression _compression _pyio io
        ntpath posixpath genericpath stat glob fnmatch filecmp fileinput linecache
    """,
    "gui": "tkinter turtle turtledemo idlelib curses",
    "internet": """
        http urllib socket ssl socketserver ftplib telnetlib xmlrpc wsgiref webbrowser cgi ipaddress
        netrc html xml _markupbase
    """,
    "language": """
        importlib imp pkgutil runpy modulefinder inspect annotationlib ast _ast_unparse dis opcode
        symtable token tokenize keyword pyclbr pydoc code codeop compileall py_compile distutils
        lib2to3 venv ensurepip zipapp sysconfig site
    """,
    "mail": """
        email mailbox mailcap mimetypes base64 quopri uu imaplib nntplib poplib smtplib smtpd
    """,
    "numbers": """
        _pydecimal decimal _pydatetime datetime fractions numbers statistics random secrets calendar
        zoneinfo _strptime colorsys
    """,
    "testing": """
        unittest doctest pdb bdb trace traceback tracemalloc logging warnings _py_warnings cgitb
        profile cProfile pstats profiling timeit
    """,
}

# The group of each top-level module or package; one that is not in it has none.
GROUP_OF = {module: group for group, names in _MODULES.items() for module in names.split()}
