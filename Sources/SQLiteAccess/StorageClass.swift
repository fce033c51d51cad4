/// How SQLite stores one value; the raw values are those of `sqlite3_column_type`.
public enum StorageClass: Int32, Sendable {
    case integer = 1
    case real = 2
    case text = 3
    case blob = 4
    case null = 5
}
