/// The version of an object, `Z_OPT`, which each change of its row raises.
public enum ObjectVersion {
    /// SQL that raises the version in an UPDATE; the highest one stays, since SQLite would make a real number of more.
    ///
    /// - Parameter alias: what names the row where its table is not alone in the statement.
    public static func raised(_ alias: String? = nil) -> String {
        "Z_OPT = min(ifnull(\(alias.map { "\($0)." } ?? "")Z_OPT, 0), \(Int64.max - 1)) + 1"
    }
}
