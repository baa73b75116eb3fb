"""Our graphs and our score in other packages: one module for each. Each is imported on first use."""
