"""Reading exports of chats: one file a format, all behind registry.open_export."""
