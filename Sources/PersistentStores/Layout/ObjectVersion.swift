/// The version of an object, `Z_OPT`, which each change of its row increments.
public enum ObjectVersion {
    /// Returns SQL that increments the version in an UPDATE; the highest integer stays, since SQLite would turn a
    /// larger one into a real number.
    ///
    /// - Parameter alias: the alias of the table, if the statement has others; nil for none.
    public static func raised(_ alias: String? = nil) -> String {
        "Z_OPT = min(ifnull(\(alias.map { "\($0)." } ?? "")Z_OPT, 0), \(Int64.max - 1)) + 1"
    }
}
