"""Parts of the models of documents."""
