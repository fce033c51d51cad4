/// The meaning of an attribute's name for its values, so that generated data look realistic.
struct AttributeName: Sendable {
    /// The words of the name in lower case: `lastEditedBy` has three.
    let words: [String]
    /// The words of the entity's name.
    let entityWords: [String]

    init(_ name: String, of entity: String) {
        // Only the last component of a composite's element is used.
        words = Self.words(String(name.split(separator: ".").last ?? ""))
        entityWords = Self.words(entity)
    }

    /// Splits a name at capitals, digits and characters that are not letters.
    private static func words(_ name: String) -> [String] {
        var result: [String] = []
        var word = ""
        var wasUpper = true
        for character in name {
            let isBoundary = character.isUppercase && !wasUpper
            if isBoundary || !character.isLetter {
                if !word.isEmpty { result.append(word.lowercased()) }
                word = ""
            }
            if character.isLetter { word.append(character) }
            wasUpper = character.isUppercase
        }
        if !word.isEmpty { result.append(word.lowercased()) }
        return result
    }

    func has(_ candidates: String...) -> Bool { words.contains { candidates.contains($0) } }

    private func ends(_ candidates: String...) -> Bool { words.last.map { candidates.contains($0) } ?? false }

    /// Whether the values identify objects, so that they should be unique even if the model does not require it.
    var isIdentifying: Bool {
        ends("id", "identifier", "guid", "uuid", "uid", "key", "sku", "isbn", "slug", "barcode", "serial")
            || words.joined().hasSuffix("id") && words.count == 1 && words[0].count > 4
    }

    /// Whether the entity represents people.
    var isPersonal: Bool {
        let people: Set = [
            "person", "people", "user", "employee", "customer", "client", "author", "contact", "member", "friend",
            "manager", "contractor", "chef", "artist", "student", "teacher", "player", "patient", "passenger", "owner",
            "writer",
        ]
        return entityWords.contains(where: people.contains)
    }

    /// Whether the name determines a usual range of the values.
    var hasUsualReals: Bool { has("latitude", "lat", "longitude", "lon", "lng", "percent", "percentage", "progress") }

    var usualReals: ClosedRange<Double> {
        if has("latitude", "lat") { return -90...90 }
        if has("longitude", "lon", "lng") { return -180...180 }
        if has("progress") { return 0...1 }
        if has("percent", "percentage") { return 0...100 }
        if has("rating", "score", "stars") { return 0...5 }
        if has("salary", "budget", "revenue") { return 20_000...250_000 }
        return 0...1000
    }

    var usualIntegers: ClosedRange<Int64> {
        if has("year") { return 1950...2024 }
        if has("month") { return 1...12 }
        if has("day") { return 1...28 }
        if has("hour") { return 0...23 }
        if has("minute", "second") { return 0...59 }
        if has("age") { return 18...90 }
        if has("rating", "stars") { return 0...5 }
        if has("count", "quantity", "order", "index", "position", "rank", "sort") { return 0...20 }
        if has("type", "kind", "status", "state") { return 0...9 }
        return 0...1000
    }
}
