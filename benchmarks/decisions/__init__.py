"""Decision tables: evaluation beside peers and beside Python by hand, batches, loading, and the verifier.

Two tables: `carriage` (12 rows, 5 inputs, in this folder) and the desk's own `resolution`. All in one process and on
one thread; rates and seconds are CPU time, and what is judged are ratios within the run wherever there are any.
`SETTLEDESK_BENCH=short` takes fewer and shorter turns, `SETTLEDESK_BENCH_PEERS=optional` lets peers be absent.
"""
