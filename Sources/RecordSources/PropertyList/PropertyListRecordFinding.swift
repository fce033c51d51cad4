/// Finds the records in a property list that consists of one dictionary, as in a JSON document that consists of one
/// object.
enum PropertyListRecordFinding {
    /// Returns the path of the records, as `records` of a mapping specifies it; nil for the root itself.
    static func records(in path: String, within limits: DraftLimits) throws -> String? {
        // A stream can be read only once.
        guard !StreamInput.isStream(path) else { return nil }
        var events = try PropertyListEvents(try ByteInput(path: path), PropertyListOptions())
        var finding = JSONRecordFinding(limits)
        var count = 0
        while count < limits.searchedEvents, let event = try events.next() {
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
