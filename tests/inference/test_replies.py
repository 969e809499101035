"""Text that is shown while it comes."""

from hypothesis import given
from hypothesis import strategies as st

from apexmem_desktop.inference.replies import ReplyText


def _feed(pieces: list[bytes], stop: tuple[str, ...] = ()) -> tuple[str, list[str], ReplyText]:
    reply = ReplyText(stop)
    shown = []
    for piece in pieces:
        if reply.stopped:
            break
        shown.append(reply.add(piece))
    shown.append(reply.finish())
    return "".join(shown), shown, reply


def test_a_character_in_two_tokens_is_shown_whole() -> None:
    whole = "né 你🙂"
    raw = whole.encode()
    text, parts, _ = _feed([raw[at : at + 1] for at in range(len(raw))])
    assert text == whole
    assert all("�" not in part for part in parts)


def test_half_a_character_at_the_end_is_left_out() -> None:
    assert _feed([b"a", "你".encode()[:2]])[0] == "a"


def test_a_stop_text_is_never_shown() -> None:
    text, _, reply = _feed([b"one\n", b"Obs", b"erv", b"ation: two"], stop=("\nObservation:",))
    assert text == reply.text == "one"
    assert reply.stopped


def test_what_only_looked_like_a_stop_is_shown_in_the_end() -> None:
    text, _, reply = _feed([b"one\n", b"Obs"], stop=("\nObservation:",))
    assert text == "one\nObs"
    assert not reply.stopped


@given(st.text(max_size=30), st.lists(st.text(min_size=1, max_size=3), max_size=3), st.data())
def test_shown_is_the_text_up_to_the_first_stop(
    whole: str, stops: list[str], data: st.DataObject
) -> None:
    whole = whole.encode("utf-8", "ignore").decode()
    stops = [stop.encode("utf-8", "ignore").decode() for stop in stops]
    raw = whole.encode()
    cuts = sorted(data.draw(st.lists(st.integers(0, len(raw)), max_size=6)))
    pieces = [raw[a:b] for a, b in zip([0, *cuts], [*cuts, len(raw)], strict=True)]
    text, _, reply = _feed(pieces, tuple(stops))
    assert text == reply.text
    assert whole.startswith(text)
    assert not any(stop and stop in text for stop in stops)
    if not reply.stopped:
        assert text == whole
