"""The window: one of two faces on the services. The only home of Qt and pyqtgraph."""
