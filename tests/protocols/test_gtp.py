"""GTP: the commands graphical boards use, KataGo's analysis, and guaranteed moves in it."""

from __future__ import annotations

import io
import random
import re
import time
from pathlib import Path

import pytest

from kibitz.engine import Engine
from kibitz.protocols.gtp import GtpServer
from kibitz.protocols.katago_settings import Settings
from tests.nets.katago_writer import katago_file
from tests.protocols.katago_client import corner_network

COMMANDS = """
rectangular_boardsize set_position clear_cache stop get_komi kata-get-rules kata-set-rules
kata-set-rule kgs-rules kgs-time_settings kata-time_settings kata-list_time_settings
lz-analyze kata-analyze analyze lz-genmove_analyze kata-genmove_analyze genmove_analyze
kata-search kata-search_analyze kata-raw-nn kata-get-param kata-set-param boardsize
clear_board play genmove undo fixed_handicap set_free_handicap place_free_handicap
time_settings time_left final_score final_status_list loadsgf printsgf showboard quit
"""


class Session:
    def __init__(self, network: bool = True, visits: int = 20, **settings: str) -> None:
        self.out, self.log = io.StringIO(), io.StringIO()
        engine = Engine("go", network=corner_network if network else "none")
        options = {"history": "full", "reuse": True}
        values = Settings(options=options, max_visits=visits, perspective="SIDETOMOVE")
        values.apply(settings)
        self.server = GtpServer(engine, values, self.out, version="0", log=self.log)

    def send(self, line: str) -> str:
        before = len(self.out.getvalue())
        self.server.stop_analysis()
        self.server.handle(line)
        return self.out.getvalue()[before:].strip()


def test_questions() -> None:
    gtp = Session(visits=60)
    assert gtp.send("boardsize 9") == "="
    assert gtp.send("play b E5") == "="
    lines = gtp.send("kibitz-ask line E3 E7; why not A1; what changed").removeprefix("= ").splitlines()
    assert [line.partition(":")[0] for line in lines] == ["line E3 E7", "why not A1", "what changed"]
    assert gtp.send("kibitz-ask").startswith("? a question is why MOVE")
    assert gtp.send("kibitz-ask why E5").startswith("? ")
    assert gtp.send("kibitz-ask how").startswith("? a question is ")
    assert gtp.send("genmove w").startswith("= ")


def test_core_commands() -> None:
    gtp = Session()
    assert gtp.send("1 protocol_version") == "=1 2"
    assert gtp.send("name") == "= Kibitz"
    assert gtp.send("known_command genmove") == "= true"
    assert gtp.send("known_command dance") == "= false"
    assert gtp.send("7 dance") == "?7 unknown command"
    assert gtp.send("boardsize 9") == "="
    assert gtp.send("komi 6.5") == "="
    assert gtp.send("get_komi") == "= 6.5"
    assert gtp.send("play b E5") == "="
    assert gtp.send("play w E5") == "? illegal move"
    assert "●" in gtp.send("showboard")
    assert gtp.send("undo") == "="
    assert gtp.send("undo") == "? cannot undo"
    assert gtp.send("komi x").startswith("?")
    assert gtp.send("play") == "? play: wrong or missing arguments"


def test_every_listed_command_is_known() -> None:
    listed = Session().send("list_commands")[2:].split("\n")
    wanted = COMMANDS.split()
    assert [name for name in wanted if name not in listed] == []


def test_genmove_plays_its_move() -> None:
    gtp = Session()
    gtp.send("boardsize 9")
    move = gtp.send("genmove b")[2:]
    assert re.fullmatch(r"[A-J][1-9]", move)
    assert gtp.send(f"play w {move}") == "? illegal move"
    searched = gtp.send("kata-search w")[2:]
    assert gtp.send(f"play w {searched}") == "="


def test_rules_can_be_asked_and_changed_in_the_middle_of_a_game() -> None:
    gtp = Session()
    gtp.send("boardsize 9")
    gtp.send("play b E5")
    assert gtp.send("kata-set-rules japanese") == "="
    assert '"scoring":"TERRITORY"' in gtp.send("kata-get-rules")
    assert gtp.send("kata-set-rule ko POSITIONAL") == "="
    assert '"ko":"POSITIONAL"' in gtp.send("kata-get-rules")
    assert gtp.send("kgs-rules new_zealand") == "="
    assert gtp.send("kgs-rules chinese") == "="
    assert '"ko":"POSITIONAL"' in gtp.send("kata-get-rules")  # KGS's Chinese rules have superko
    assert gtp.send("kata-set-rules martian").startswith("?")
    assert gtp.send("play w E5") == "? illegal move"


def test_analysis_streams_until_the_next_line() -> None:
    gtp = Session()
    gtp.send("boardsize 9")
    gtp.server.handle("kata-analyze b 5 include J1,H1 7 ownership true rootInfo true")
    for _ in range(100):
        time.sleep(0.05)
        if "info move" in gtp.out.getvalue():
            break
    gtp.server.stop_analysis()
    text = gtp.out.getvalue()
    line = next(line for line in reversed(text.splitlines()) if line.startswith("info"))
    visits = {move: int(count) for move, count in re.findall(r"info move (\S+) visits (\d+)", line)}
    assert visits["J1"] >= 7
    assert visits["H1"] >= 7
    assert "rootInfo visits" in line
    assert len(line.split("ownership ")[1].split()) == 81
    assert gtp.send("name").endswith("= Kibitz")


def test_leela_analysis_and_genmove_analyze() -> None:
    gtp = Session()
    gtp.send("boardsize 9")
    answer = gtp.send("lz-genmove_analyze b 100")
    assert "winrate 5" in answer
    assert re.search(r"play [A-J][1-9]$", answer)
    answer = gtp.send("kata-genmove_analyze w 100 avoid w A9,B9,C9 1")
    assert not re.search(r"move [ABC]9 ", answer)


def infos(answer: str) -> list[dict[str, str]]:
    """The moves of an analysis line; lists keep their first number."""
    rows = []
    for part in answer.split("info ")[1:]:
        words = part.split()
        rows.append({word: words[i + 1] for i, word in enumerate(words[:-1]) if word[0].isalpha()})
    return rows


EVERYTHING = "rootInfo ownership ownershipStdev movesOwnership movesOwnershipStdev pvVisits pvEdgeVisits"


def test_every_field_of_kata_analyze() -> None:
    gtp = Session()
    gtp.send("boardsize 9")
    gtp.send("set_position b E5 w C4 b G7")
    wishes = " ".join(f"{name} true" for name in [*EVERYTHING.split(), "noResultValue"])
    answer = gtp.send(f"kata-search_analyze w 100 {wishes}")
    wanted = """
        move visits edgeVisits utility winrate scoreMean scoreStdev scoreLead scoreSelfplay noResultValue
        prior lcb utilityLcb weight order pv pvVisits pvEdgeVisits movesOwnership movesOwnershipStdev
    """
    assert all(set(wanted.split()) <= set(info) for info in infos(answer))
    line = next(line for line in answer.splitlines() if line.startswith("info"))
    root = line.split(" rootInfo ")[1].split(" ownership ")[0].split()
    assert " ".join(root[::2]) == (
        "visits utility winrate scoreMean scoreStdev scoreLead scoreSelfplay weight rawStWrError "
        "rawStScoreError rawVarTimeLeft"
    )
    owners, spread = line.split(" ownership ")[1].split(" ownershipStdev ")
    assert len(owners.split()) == len(spread.split()) == 81
    # White is to move: its own stone is its own, here and after each move.
    white, black = 5 * 9 + 2, 4 * 9 + 4
    first = line.split(" movesOwnership ")[1].split(" movesOwnershipStdev ")[0]
    for values in (owners.split(), first.split()):
        assert float(values[white]) > 0.5
        assert float(values[black]) < -0.5


def test_leads_are_told_for_the_side_that_was_asked_for() -> None:
    leads = {}
    for side in ("SIDETOMOVE", "WHITE", "BLACK"):
        gtp = Session(reportAnalysisWinratesAs=side)
        gtp.send("boardsize 9")
        gtp.send("set_position b E5 b G7 b C3")
        leads[side] = float(infos(gtp.send("kata-search_analyze w 100"))[0]["scoreLead"])
    assert leads["SIDETOMOVE"] == leads["WHITE"] == -leads["BLACK"] != 0


def test_symmetric_moves_and_how_many_are_shown() -> None:
    gtp = Session()
    gtp.send("boardsize 9")
    shown = infos(gtp.send("kata-search_analyze b 100"))
    assert {info["isSymmetryOf"] for info in shown if "isSymmetryOf" in info} <= {i["move"] for i in shown}
    assert len({info["move"] for info in shown if info.get("isSymmetryOf") == "A9"}) == 3
    assert len(infos(gtp.send("lz-genmove_analyze b 100 maxmoves 2"))) == 2
    assert len(infos(gtp.send("kata-search_analyze w 100 minmoves 60"))) == 60


def test_sabaki_gets_a_decimal_point_in_every_number() -> None:
    gtp = Session()
    gtp.send("boardsize 9")
    (info, *_) = infos(gtp.send("genmove_analyze b 100"))
    for name in ("winrate", "scoreLead", "prior", "lcb", "utility", "weight"):
        assert "." in info[name], name
    assert "." not in info["visits"]


def test_genmove_analyze_speaks_while_it_searches() -> None:
    gtp = Session(visits=10**9)
    gtp.send("boardsize 9")
    gtp.send("kata-set-param maxTime 0.5")
    answer = gtp.send("3 kata-genmove_analyze b 5")
    lines = answer.splitlines()
    assert lines[0] == "=3"
    assert len(lines) > 4
    assert all(line.startswith("info ") for line in lines[1:-1])
    assert lines[-1].startswith("play ")


def test_included_moves_are_told_of_however_few_are_wanted() -> None:
    gtp = Session()
    gtp.send("boardsize 9")
    answer = gtp.send("kata-search_analyze b 100 maxmoves 1 include J1,H1 3")
    assert {"J1", "H1"} <= {info["move"] for info in infos(answer)}
    assert len(infos(answer)) <= 3


def test_a_move_that_was_asked_about_is_not_played() -> None:
    gtp = Session()
    gtp.send("boardsize 9")
    answer = gtp.send("kata-genmove_analyze b 100 include J1 2000")
    assert answer.splitlines()[-1].startswith("play ")
    assert answer.splitlines()[-1] != "play J1"


def test_included_moves_that_cannot_be_are_named_and_left_out() -> None:
    gtp = Session()
    gtp.send("boardsize 9")
    gtp.send("play b E5")
    answer = gtp.send("kata-search_analyze w 100 include E5,J1,j1 3 avoid w J1 1")
    visits = {info["move"]: int(info["visits"]) for info in infos(answer) if "isSymmetryOf" not in info}
    assert visits["J1"] == 3
    assert "E5" not in visits
    assert gtp.log.getvalue() == (
        "include: J1 is given twice, counted once\n"
        "include: illegal move E5 for white: the point is taken, ignoring this move\n"
    )


def test_an_analysis_that_is_left_at_once_ends() -> None:
    gtp = Session()
    for _ in range(30):
        assert gtp.send("kata-analyze b 100") == "="
        gtp.server.stop_analysis()


@pytest.mark.parametrize("minimum", [1, 2**50])
def test_the_ends_of_the_range_of_minimum_visits(minimum: int) -> None:
    gtp = Session()
    assert gtp.send(f"kata-analyze b 1 include D4 {minimum}") == "="
    gtp.server.stop_analysis()


@pytest.mark.parametrize(
    "line",
    [
        "kata-analyze include D4 0",
        f"kata-analyze include D4 {2**50 + 1}",
        "kata-analyze include D4,Z99 2",
        "kata-analyze include dance",
        "kata-analyze avoid b Z99 1",
        "kata-analyze minmoves inf",
        "kata-analyze ownership perhaps",
        "kata-analyze b 10 dance",
        "kata-analyze include",
        "kata-analyze avoid b D4 x",
        "kata-analyze interval x",
    ],
)
def test_wrong_analysis_options_are_refused(line: str) -> None:
    assert Session().send(line).startswith("?")


@pytest.mark.parametrize(
    "line",
    [
        "set_position x D4", "set_position b D4 w D4", "set_position b D4 w d4", "set_position b pass",
        "set_position b", "set_position b A1 w A2 w B1", "time_settings inf inf inf", "time_settings 1 -1 0",
        "time_left x 3", "kgs-time_settings byoyomi 1", "kgs-time_settings fischer 3 1",
        "kata-time_settings hourglass 3", "boardsize 1e9", "komi nan", "loadsgf /", "genmove x",
        "final_status_list dance", "kata-set-rule suicide maybe", "kata-set-rules " + "[" * 9999,
        "kata-set-rules {" + '"ko":{' * 9999,
    ],
)  # fmt: skip
def test_wrong_arguments_are_refused_and_change_nothing(line: str) -> None:
    gtp = Session()
    gtp.send("play b C3")
    before = gtp.server.position
    answer = gtp.send(line)
    assert answer.startswith("? ")
    assert len(answer) < 300
    assert gtp.server.position == before
    assert gtp.send("name") == "= Kibitz"


WORDS = """
b w x pass D4 Z99 D4,C3 , -1 0 1 7 2.5 1e9 inf nan true false perhaps interval minmoves maxmoves avoid allow
include
ownership rootInfo pvVisits ko suicide SIMPLE chinese japanese {} {"ko":1} byoyomi fischer absolute all
alive maxTime
maxVisits wideRootNoise 99999999999999999999999 ² \x00 " # (
"""


def test_any_words_get_an_answer() -> None:
    """Each line is answered once, with = or ?, and the session goes on."""
    chance = random.Random(7)
    gtp = Session(visits=2)
    gtp.send("boardsize 5")
    names = [n for n in gtp.send("list_commands")[2:].split("\n") if n not in ("quit", "printsgf", "loadsgf")]
    for number in range(4000):
        words = [chance.choice(WORDS.split()) for _ in range(chance.randrange(5))]
        gtp.send("kata-set-param maxTime 0.01")
        before = len(gtp.out.getvalue())
        gtp.send(f"{number} {chance.choice(names)} {' '.join(words)}")
        gtp.server.stop_analysis()
        answer = gtp.out.getvalue()[before:]
        assert re.match(rf"[=?]{number}( |\n)", answer), answer
        assert answer.endswith("\n\n")
    assert gtp.send("name") == "= Kibitz"


@pytest.mark.parametrize("command", ["boardsize 5 7", "rectangular_boardsize 5 7"])
def test_boards_that_are_not_square(command: str) -> None:
    gtp = Session()
    assert gtp.send(command) == "="
    assert gtp.server.position.size == (5, 7)
    assert gtp.send("play b E7") == "="
    assert gtp.send("play w F1") == "? illegal move"


@pytest.mark.parametrize("command", ["lz-analyze", "kata-analyze", "analyze"])
def test_stop_ends_an_analysis(command: str) -> None:
    gtp = Session()
    gtp.send("boardsize 9")
    assert gtp.send(f"{command} b 1 include J1 5") == "="
    for _ in range(100):
        time.sleep(0.02)
        if "info move" in gtp.out.getvalue():
            break
    assert gtp.send("stop").endswith("=")
    assert "info move" in gtp.out.getvalue()
    assert gtp.server._analysis is None
    assert gtp.send("clear_cache") == "="


def test_handicap_and_setting_up() -> None:
    gtp = Session()
    assert gtp.send("fixed_handicap 4") == "= D4 Q16 Q4 D16"
    assert gtp.send("fixed_handicap 4") == gtp.send("set_free_handicap C3 G7") == "? board not empty"
    gtp.send("clear_board")
    assert gtp.send("fixed_handicap 10") == "? invalid handicap"
    gtp.send("boardsize 9")
    assert gtp.send("set_free_handicap C3 c3") == gtp.send("set_free_handicap C3") == "? bad vertex list"
    assert gtp.send("set_free_handicap C3 G7 C7") == "="
    assert gtp.send("set_position b E5 w C3") == "="
    assert gtp.send("play b C3") == "? illegal move"


def test_records_go_out_and_come_in(tmp_path: Path) -> None:
    gtp = Session()
    gtp.send("boardsize 9")
    for number, vertex in enumerate(("E5", "C3", "pass", "G7")):
        gtp.send(f"play {'bw'[number % 2]} {vertex}")
    text = gtp.send("printsgf")[2:]
    file = tmp_path / "game.sgf"
    file.write_text(text)
    other = Session()
    assert other.send(f"loadsgf {file}") == "="
    assert other.server.position == gtp.server.position
    assert other.send("loadsgf nowhere.sgf").startswith("?")


def test_scores_and_raw_network() -> None:
    plain = Session(network=False)
    plain.send("boardsize 5")
    plain.send("set_position b C1 b C2 b C3 b C4 b C5 w D1 w D2 w D3 w D4 w D5")
    assert plain.send("komi 0.5") == "="
    assert plain.send("final_score") == "= B+4.5"
    assert plain.send("final_status_list alive").count("C") == 5
    assert plain.send("kata-raw-nn 0").startswith("?")
    gtp = Session()
    gtp.send("boardsize 5")
    gtp.send("play b C3")
    keys = re.findall(r"^[a-zA-Z]+", gtp.send("kata-raw-nn all")[2:], re.MULTILINE)
    assert " ".join(keys) == (
        "symmetry whiteWin whiteLoss noResult whiteLead whiteScoreSelfplay whiteScoreSelfplaySq varTimeLeft "
        "shorttermWinlossError shorttermScoreError policy policyPass whiteOwnership"
    )
    black, white = (
        float(gtp.send(f"kata-raw-nn {colour} 0").split("whiteWin ")[1].split()[0]) for colour in "bw"
    )
    assert black != white  # who is to move thinks itself ahead
    assert gtp.send("kata-raw-nn w 3") == gtp.send("kata-raw-nn 3")
    assert gtp.send("kata-raw-nn 8").startswith("?")
    assert gtp.send("kata-raw-nn").startswith("?")


def test_raw_network_has_the_policy_of_the_root(tmp_path: Path) -> None:
    """KataGo's: rootPolicyOptimism is 0.2 unless set, and an optimism may follow the symmetry."""
    file = tmp_path / "optimistic.bin"
    file.write_bytes(katago_file(15))
    gtp = Session(network=False)
    gtp.server = GtpServer(Engine("go", network=str(file)), Settings(max_visits=2), gtp.out, log=gtp.log)
    gtp.send("boardsize 9")
    policies = [gtp.send(f"kata-raw-nn b 0 {level}".strip()) for level in ("", "0.2", "0", "1")]
    assert policies[0].startswith("= symmetry 0")
    assert policies[0] == policies[1]
    assert len(set(policies[1:])) == 3
    assert gtp.send("kata-set-param rootPolicyOptimism 1") == "="
    assert gtp.send("kata-raw-nn 0") == policies[3]
    for wrong in ("0 2", "0 -1", "0 nan", "0 x", "0 0.5 0.5"):
        assert gtp.send(f"kata-raw-nn {wrong}").startswith("?")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("maxVisits", "7"),
        ("maxTime", "2.5"),
        ("wideRootNoise", "0.25"),
        ("numSearchThreads", "2"),
        ("rootSymmetryPruning", "false"),
        ("ignorePreRootHistory", "true"),
        ("reportAnalysisWinratesAs", "WHITE"),
        ("analysisPVLen", "3"),
    ],
)
def test_what_can_be_set_can_be_asked(name: str, value: str) -> None:
    gtp = Session()
    assert gtp.send(f"kata-get-param {name}")[2:] not in ("", value)
    assert gtp.send(f"kata-set-param {name} {value}") == "="
    assert gtp.send(f"kata-get-param {name}") == f"= {value}"


def test_time_and_parameters() -> None:
    gtp = Session(visits=10**9)
    gtp.send("boardsize 5")
    assert gtp.send("kata-set-param maxVisits 5") == "="
    assert gtp.send("kata-get-param maxVisits") == "= 5"
    assert gtp.send("kata-set-param dance 1").startswith("?")
    assert gtp.send("kata-get-param dance").startswith("?")
    gtp.send("kata-set-param maxVisits 1000000000")
    gtp.send("kgs-time_settings byoyomi 0 0.2 5")
    started = time.monotonic()
    gtp.send("genmove b")
    assert time.monotonic() - started < 5
    for system in ("fischer 3 0.1", "fischer-capped 60 1 -1 0.1", "canadian 0 1 10", "absolute 3"):
        assert system.split()[0] in gtp.send("kata-list_time_settings").split()
        assert gtp.send(f"kata-time_settings {system}") == "="
        started = time.monotonic()
        gtp.send("kata-search b")
        assert time.monotonic() - started < 2.5
    gtp.send("time_settings 3 0 0")
    assert gtp.send("time_left b 3 0") == "="
    gtp.send("genmove b")


def test_quit_ends_the_loop() -> None:
    gtp = Session()
    gtp.server.serve(io.BytesIO(b"name\n\n# comment\nquit\nname\n"))
    assert gtp.out.getvalue().count("Kibitz") == 1
