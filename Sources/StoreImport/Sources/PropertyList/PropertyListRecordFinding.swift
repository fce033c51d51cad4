/// Finds the records in a property list that is one dictionary, as in a JSON document that is one object.
enum PropertyListRecordFinding {
    /// What comes later in a file is not looked at.
    private static let largestEventCount = 500_000

    /// The keys that lead to the records, as `records` of a mapping says them; nil for the root itself.
    static func records(in path: String) throws -> String? {
        // What comes through standard input can be read once only.
        guard path != "-" else { return nil }
        var events = try PropertyListEvents(try ByteInput(path: path), PropertyListOptions())
        var finding = JSONRecordFinding()
        var count = 0
        while count < largestEventCount, let event = try events.next() {
            if count == 0, event != .dictionary { return nil }
            count += 1
            switch event {
            case .dictionary: finding.openObject()
            case .array: finding.openArray()
            case .key(let key): finding.begin(member: key)
            case .end: finding.close()
            case .value, .tooLarge: break
            }
        }
        finding.closeAll()
        return finding.records
    }
}
