/// The names of an entity's attributes or relationships in an XML store, and their indexes.
struct XMLPropertyNames {
    private let names: [[UInt8]]
    private let places: [String: Int]

    init(_ names: [String]) {
        self.names = names.map { Array($0.utf8) }
        places = Dictionary(zip(names, names.indices), uniquingKeysWith: { first, _ in first })
    }

    /// Returns the index of a name; nil if there is no such name.
    ///
    /// - Parameter expected: the most probable index.
    func place(of name: Range<Int>, in bytes: [UInt8], _ expected: Int) -> Int? {
        if expected < names.count, Self.isEqual(bytes, name, names[expected]) { return expected }
        return places[String(decoding: bytes[name], as: UTF8.self)]
    }

    /// Returns whether a range of bytes equals a name.
    static func isEqual(_ bytes: [UInt8], _ range: Range<Int>, _ name: [UInt8]) -> Bool {
        guard range.count == name.count else { return false }
        var index = range.lowerBound
        for byte in name {
            if bytes[index] != byte { return false }
            index += 1
        }
        return true
    }
}
