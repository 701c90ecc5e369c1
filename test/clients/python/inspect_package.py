"""Reads the installed package: whether Python 3.9 can parse it, what it imports, and how long its public surface is."""

import ast
import json
import sys
from pathlib import Path

import weir_client

folder = Path(weir_client.__file__).parent
files = {file.stem: file.read_text(encoding="utf-8") for file in folder.glob("*.py")}
trees = {name: ast.parse(text, feature_version=(3, 9)) for name, text in files.items()}


def imported(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (one.name.split(".")[0] for one in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield node.module.split(".")[0]


class Surface(ast.NodeTransformer):
    """Leaves what a caller sees: public names and their signatures, without bodies and descriptions."""

    def visit_FunctionDef(self, node):
        if node.name.startswith("_") and node.name not in ("__init__", "__bool__"):
            return None
        node.body = [ast.Expr(ast.Constant(...))]
        return node

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Expr(self, node):
        return None if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str) else node


def is_public(node):
    names = [node.name] if hasattr(node, "name") else [one.id for one in getattr(node, "targets", []) if hasattr(one, "id")]
    return any(name in weir_client.__all__ or name in ALIASES for name in names)


# What the signatures of public functions name.
ALIASES = {"Event", "KeySet", "Keys", "Hold", "OnHeld", "CheckSignature", "Known"}
lines = []
for tree in trees.values():
    for node in filter(is_public, tree.body):
        shown = Surface().visit(node)
        if isinstance(shown, ast.ClassDef) and not shown.body:
            shown.body = [ast.Pass()]
        lines += [line for line in ast.unparse(ast.fix_missing_locations(shown)).splitlines() if line.strip()]

modules = {name for tree in trees.values() for name in imported(tree)}
known = getattr(sys, "stdlib_module_names", modules)
print(json.dumps({"surface": len(lines), "foreign": sorted(modules - set(known) - {"__future__"}), "files": sorted(files)}))
