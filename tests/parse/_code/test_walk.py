import sysconfig
from pathlib import Path

from tgraph_attn.parse._code.grammars import get_language, get_parser
from tgraph_attn.parse._code.kind_tables import ALWAYS, IF_FIELD, NAMED, NEVER, kind_tables
from tgraph_attn.parse._code.walk import walk


def root_and_tables(source, language="python"):
    grammar = get_language(language)
    return get_parser(grammar).parse(source.encode()).root_node, kind_tables(grammar)


def slow_walk(root, tables):
    """The same by the words of the docstrings: kind, parent and tokens of each named node."""
    rows, stack = [], [(root, -1)]
    while stack:
        node, parent = stack.pop()
        if tables.comment[node.kind_id]:
            continue
        cursor, tokens, children = node.walk(), [], []
        more = cursor.goto_first_child()
        while more:
            kind = cursor.node.kind_id
            if tables.role[kind] == NAMED:
                children.append(cursor.node)
            else:
                tokens.append((kind, tables.role[kind], cursor.field_id is not None))
            more = cursor.goto_next_sibling()
        alone = all(tables.comment[child.kind_id] for child in children)
        said = [
            kind
            for kind, role, field in tokens
            if role == ALWAYS or (role == IF_FIELD and field) or (alone and role != NEVER)
        ]
        rows.append((parent, node.kind_id, node.start_byte, node.end_byte, said))
        stack += [(child, len(rows) - 1) for child in reversed(children)]
    return rows


def test_it_finds_the_nodes_and_tokens_that_a_slow_walk_finds():
    for name in ("ast", "heapq", "types"):
        source = (Path(sysconfig.get_path("stdlib")) / f"{name}.py").read_text(encoding="utf-8")
        root, tables = root_and_tables(source)
        nodes = walk(root, tables, drop_comments=True)
        said = [[] for _ in nodes.kind]
        for row, kind in zip(nodes.token_row.tolist(), nodes.token_kind.tolist(), strict=True):
            said[row].append(kind)
        columns = (nodes.parent, nodes.kind, nodes.begin, nodes.end)
        assert slow_walk(root, tables) == list(
            zip(*(column.tolist() for column in columns), said, strict=True)
        )


def test_an_operator_behind_a_comment_is_still_one():
    root, tables = root_and_tables("x = (a  # why\n  < b)\n")
    nodes = walk(root, tables, drop_comments=True)
    assert tables.name[tables.row[nodes.token_kind]].tolist() == ["<"]


def test_what_begins_before_the_source_is_left_out_but_not_what_is_in_it():
    root, tables = root_and_tables("class A{int f() {}}", "java")
    nodes = walk(root, tables, drop_comments=True, skip_bytes=len("class A{"))
    kinds = tables.name[tables.row[nodes.kind]].tolist()
    assert kinds == ["program", "method_declaration", "integral_type", "identifier",
                     "formal_parameters", "block"]  # fmt: skip
    assert nodes.parent.tolist() == [-1, 0, 1, 1, 1, 1]
    assert nodes.new_row.tolist() == [
        0,
        0,
        0,
        0,
        1,
        2,
        3,
        4,
        5,
    ]  # class, name, body became the root


def test_leaves_are_nodes_without_any_child_in_the_grammar():
    root, tables = root_and_tables("f()")
    nodes = walk(root, tables, drop_comments=True)
    kinds = tables.name[tables.row[nodes.kind]].tolist()
    assert kinds == ["module", "expression_statement", "call", "identifier", "argument_list"]
    assert nodes.is_leaf.tolist() == [False, False, False, True, False]
