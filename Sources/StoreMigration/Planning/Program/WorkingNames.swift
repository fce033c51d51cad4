/// Unused names for tables and columns that exist only while a migration runs.
struct WorkingNames {
    private var taken: Set<String>
    private var number = 0

    /// - Parameter names: the names that are in use; case is ignored, as in SQLite.
    init(avoiding names: [String]) {
        taken = Set(names.map { $0.uppercased() })
    }

    mutating func next() -> String {
        repeat { number += 1 } while !taken.insert("ZFERRY_OLD_\(number)").inserted
        return "ZFERRY_OLD_\(number)"
    }
}
