"""The documentation site: `make docs`."""

from importlib.metadata import version as installed_version

project = "prequential"
author = "the prequential developers"
release = installed_version("prequential")
version = release

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
]
exclude_patterns = ["figures"]

# Every cell runs, and one that fails, fails the build.
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 600
nb_merge_streams = True

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 4
suppress_warnings = ["mystnb.unknown_mime_type"]

autodoc_typehints = "none"
autodoc_class_signature = "separated"
autodoc_member_order = "bysource"
napoleon_use_param = False
napoleon_use_rtype = False
napoleon_use_ivar = True
add_module_names = False
default_role = "code"

html_theme = "furo"
html_title = "prequential"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_copyright = False
html_theme_options = {
    # No fonts, scripts or images from elsewhere.
    "source_view_link": "",
    "top_of_page_buttons": [],
}
copybutton_exclude = ".linenos, .gp, .go"
