"""The page of ``robosym web``: a thin server and what the browser runs (``static``)."""
