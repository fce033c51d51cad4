/// The words of a name, regardless of separators: `employeeID`, `employee_id` and `Employee ID` are equal.
package struct NameWords: Equatable, Hashable {
    let words: [String]

    package init(_ name: String) {
        var words: [String] = []
        var word = ""
        let characters = Array(name)
        for (index, character) in characters.enumerated() {
            guard character.isLetter || character.isNumber else {
                if !word.isEmpty { words.append(word) }
                word = ""
                continue
            }
            if character.isUppercase, !word.isEmpty {
                let follows = index + 1 < characters.count && characters[index + 1].isLowercase
                // `employeeID` and `URLString` have two words, `IDs` has one.
                let isPlural =
                    follows && characters[index + 1] == "s"
                    && (index + 2 == characters.count || !characters[index + 2].isLowercase)
                if !characters[index - 1].isUppercase || (follows && !isPlural) {
                    words.append(word)
                    word = ""
                }
            }
            word += character.lowercased()
        }
        if !word.isEmpty { words.append(word) }
        self.words = words
    }

    init(words: [String]) {
        self.words = words
    }

    var joined: String { words.joined() }

    /// The name in the singular: `companyEmployees` becomes `company employee`.
    var singular: NameWords {
        guard let last = words.last else { return self }
        return NameWords(words: words.dropLast() + [Self.singular(last)])
    }

    /// Returns whether both names mean the same thing, singular or plural.
    func isSame(as other: NameWords) -> Bool {
        joined == other.joined || singular.joined == other.singular.joined
    }

    /// Returns these words without those of another name at the beginning; nil if they do not begin with it, or have no
    /// others.
    func dropping(prefix: NameWords) -> NameWords? {
        let whole = joined
        let start = prefix.joined
        guard !start.isEmpty, whole.hasPrefix(start), whole.count > start.count else { return nil }
        var rest = words[...]
        var passed = 0
        while passed < start.count, let word = rest.first {
            passed += word.count
            rest = rest.dropFirst()
        }
        return passed == start.count ? NameWords(words: Array(rest)) : nil
    }

    private static let irregular = [
        "people": "person", "children": "child", "men": "man", "women": "woman", "feet": "foot", "indices": "index",
        "addresses": "address", "statuses": "status", "series": "series", "news": "news",
    ]

    private static func singular(_ word: String) -> String {
        if let known = irregular[word] { return known }
        if word.hasSuffix("ies"), word.count > 4 { return word.dropLast(3) + "y" }
        for ending in ["sses", "shes", "ches", "xes", "zes"] where word.hasSuffix(ending) {
            return String(word.dropLast(2))
        }
        let isPlural =
            word.hasSuffix("s") && word.count > 2
            && !["ss", "us", "is"].contains(where: word.hasSuffix)
        return isPlural ? String(word.dropLast()) : word
    }
}
