/// The slots of attributes that were asked for by their names lately, so that most names need not be hashed.
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

    /// Names of one length share a place: the last one has it.
    private static func place(_ name: String) -> Int { name.utf8.count & (count - 1) }
}
