"""UCI, the protocol of chess programs: `kibitz uci`, docs/uci.md.

`options` is the table of options, `limits` what `go` asks for, `clock` how long to think, `info` the lines
a search prints, `loop` the engine itself.
"""
