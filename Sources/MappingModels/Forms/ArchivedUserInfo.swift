internal import KeyedArchives

/// The dictionaries of texts in Core Data's forms of mapping models.
enum ArchivedUserInfo {
    /// Returns the texts by key, and the keys of values that are not texts.
    static func read(_ object: ArchivedObject) throws -> (texts: [String: String], others: [String]) {
        guard let pairs = try object.pairs() else {
            throw object.error(.typeUnexpected, found: object.className)
        }
        var texts: [String: String] = [:]
        var others: [String] = []
        for pair in pairs {
            let key = try pair.key.string()
            if let key, let text = try pair.value.string() {
                texts[key] = text
            } else {
                others.append(key ?? "a key that is not text")
            }
        }
        return (texts, others)
    }

    /// Adds a dictionary, sorted by key; returns nil if it is empty.
    static func add(_ userInfo: [String: String], to builder: inout KeyedArchiveBuilder) -> KeyedArchiveBuilder
        .Reference?
    {
        guard !userInfo.isEmpty else { return nil }
        return builder.dictionary(
            userInfo.sorted { $0.key < $1.key }.map { (builder.string($0.key), builder.string($0.value)) },
            isMutable: true)
    }
}
