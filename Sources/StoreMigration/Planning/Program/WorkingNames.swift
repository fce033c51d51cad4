/// Names for tables and columns that exist only while a migration runs, and that no one else has.
struct WorkingNames {
    private var taken: Set<String>
    private var number = 0

    /// - Parameter names: those that are taken; case does not count, as in SQLite.
    init(avoiding names: [String]) {
        taken = Set(names.map { $0.uppercased() })
    }

    mutating func next() -> String {
        repeat { number += 1 } while !taken.insert("ZFERRY_OLD_\(number)").inserted
        return "ZFERRY_OLD_\(number)"
    }
}
