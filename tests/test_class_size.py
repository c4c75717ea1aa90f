"""No class grows past what a reader can hold: at most 25 methods, in Python and in C++."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MOST = 25


_CLASS = re.compile(
    r"(?<!enum )\b(?:class|struct)\s+(\w+)(?:<[^;(){}=]*>)?\s*(?:final\s*)?(?::[^;(){}=]*)?\{",
)
_METHOD = re.compile(r"(~?\w+|operator\s*\S+?)\s*\(")
_NO_METHOD = ("using ", "friend ", "static_assert", "typedef ", "return ", "KIBITZ_")


def without_comments(text: str) -> str:
    """C++ without comments, string literals and preprocessor lines."""
    text = re.sub(r'"(?:\\.|[^"\\\n])*"', '""', text)
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)
    return re.sub(r"^\s*#(?:[^\n]*\\\n)*[^\n]*", "", text, flags=re.MULTILINE)


def body_at(text: str, begin: int) -> str:
    """What is between the brace that opens just before `begin` and its fellow."""
    depth, end = 1, begin
    while depth and end < len(text):
        depth += {"{": 1, "}": -1}.get(text[end], 0)
        end += 1
    return text[begin : end - 1]


def own_statements(body: str) -> list[str]:
    """The declarations of a class body, without what is inside braces."""
    flat, depth = "", 0
    for letter in body:
        if letter == "}":
            depth -= 1
            flat += ";" if depth == 0 else ""
        elif letter == "{":
            depth += 1
        elif depth == 0:
            flat += letter
    flat = re.sub(r"\b(public|private|protected)\s*:(?!:)", ";", flat)
    return [" ".join(statement.split()) for statement in flat.split(";") if statement.strip()]


def methods_of(body: str) -> list[str]:
    names = []
    for statement in own_statements(body):
        statement = re.sub(r"^template <.*?> (?=\w)", "", statement)
        if statement.startswith(_NO_METHOD) or statement.endswith(("= delete", "= default")):
            continue
        match = _METHOD.search(statement)
        if match and "=" not in statement[: match.start()].replace("operator=", ""):
            names.append(match[1])
    return names


def native_classes() -> Iterator[tuple[str, int]]:
    for path in sorted((ROOT / "native").rglob("*")):
        if path.suffix not in {".h", ".cpp"} or path.parent.name == "tests":
            continue
        text = without_comments(path.read_text(encoding="utf-8"))
        for match in _CLASS.finditer(text):
            yield f"{path.relative_to(ROOT)}: {match[1]}", len(methods_of(body_at(text, match.end())))


def python_classes() -> Iterator[tuple[str, int]]:
    for path in sorted((ROOT / "src" / "kibitz").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                methods = [
                    item for item in node.body if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef)
                ]
                yield f"{path.relative_to(ROOT)}: {node.name}", len(methods)


def test_methods_are_counted() -> None:
    text = without_comments(
        """
        /// class Comment { void no(); };
        template <class G>
        class Shown final : public Base {
         public:
          explicit Shown(int a) : a_(a), b_{1} { run(); }
          Shown(const Shown&) = delete;
          template <class Rule>
          int choose(const Rule& rule) const;
          bool operator==(const Shown&) const = default;
          bool operator[](int i) const { return i > 0; }
         private:
          struct Inner { int f(); int g(); };
          static constexpr double kLimit = limit(3);
          void hide();
          int a_ = 0;
          std::function<void(int)> call_;
        };
        enum class Kind { kOne };
        """
    )
    counted = {match[1]: methods_of(body_at(text, match.end())) for match in _CLASS.finditer(text)}
    assert counted["Shown"][:4] == ["Shown", "choose", "operator[]", "hide"]
    assert counted["Inner"] == ["f", "g"]
    assert set(counted) == {"Shown", "Inner"}


def test_no_class_has_too_many_methods() -> None:
    large = {name: count for name, count in (*native_classes(), *python_classes()) if count > MOST}
    assert large == {}
