/// The slots of recently accessed attributes by their names, so that most names need not be hashed.
struct SlotCache {
    private struct Entry {
        var name: String?
        var slot = 0
    }

    private static let count = 16
    private var entries = [Entry](repeating: Entry(), count: SlotCache.count)

    func slot(of name: String) -> Int? {
        let place = Self.place(name)
        return entries[place].name == name ? entries[place].slot : nil
    }

    mutating func note(_ slot: Int, of name: String) { entries[Self.place(name)] = Entry(name: name, slot: slot) }

    /// Returns the position of a name: names with the same length modulo the size share one, which belongs to the last
    /// of them.
    private static func place(_ name: String) -> Int { name.utf8.count & (count - 1) }
}
