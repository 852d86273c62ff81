"""Arms that come with Torsor, as arm files and URDFs; each names its source and its corrections."""
