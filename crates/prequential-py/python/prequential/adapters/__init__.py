"""Our graphs and our score in other packages: one module for each. None is imported before it is asked for."""
