"""Proofs about a pack's parts, with counterexamples that a person can replay. `tables` proves decision tables."""
