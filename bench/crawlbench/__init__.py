"""The crawl benchmark: profiles, processes, the bound, the table (bench/README.md)."""
