/// The style of an attribute's texts. Its name determines which texts are chosen.
enum TextStyle: String, Sendable {
    case firstName, lastName, fullName, email, url, phone, city, country, street, code, color, title, sentence, words

    init(_ name: AttributeName) {
        let joined = name.words.joined()
        self =
            if name.has("email", "mail") {
                .email
            } else if name.has("url", "uri", "link", "website", "homepage", "href") || joined.hasSuffix("url") {
                .url
            } else if name.has("phone", "telephone", "mobile", "fax") { .phone } else if name.isIdentifying {
                .code
            } else if joined.hasSuffix("firstname") || joined.hasSuffix("givenname") {
                .firstName
            } else if ["lastname", "surname", "familyname"].contains(where: joined.hasSuffix) {
                .lastName
            } else if name.has("author", "user", "username", "person") {
                .fullName
            } else if name.has("city", "town", "place", "location") { .city } else if name.has("country") {
                .country
            } else if name.has("street", "address") { .street } else if name.has("color", "colour") {
                .color
            } else if name.has("note", "notes", "text", "body", "comment", "comments", "remarks") {
                .sentence
            } else if name.has("description", "summary", "content", "bio", "message") {
                .sentence
            } else if name.has("name") {
                name.isPersonal ? .fullName : .title
            } else if name.has("title", "subject", "headline", "label") { .title } else { .words }
    }

    /// Returns a text; if a number is given, a text that is unique for it.
    func text(_ number: Int?, _ random: inout SeededNumbers) -> String {
        let ending = number.map { " \($0 + 1)" } ?? ""
        switch self {
        case .firstName: return random.pick(Vocabulary.firstNames) + ending
        case .lastName: return random.pick(Vocabulary.lastNames) + ending
        case .fullName: return random.pick(Vocabulary.firstNames) + " " + random.pick(Vocabulary.lastNames) + ending
        case .email:
            let first = random.pick(Vocabulary.firstNames).lowercased()
            let name = first + "." + random.pick(Vocabulary.lastNames).lowercased()
            return name + (number.map { ".\($0 + 1)" } ?? "") + "@example.com"
        case .url: return "https://example.com/" + random.pick(Vocabulary.words) + (number.map { "/\($0 + 1)" } ?? "")
        case .phone: return "+1 555 \(number.map { 1_000_000 + $0 } ?? 1_000_000 + random.below(9_000_000))"
        case .city: return random.pick(Vocabulary.cities) + ending
        case .country: return random.pick(Vocabulary.countries) + ending
        case .street:
            let name = Vocabulary.capitalized(random.pick(Vocabulary.words))
            return name + " Street \((number ?? random.below(200)) + 1)"
        case .code: return random.pick(Vocabulary.words) + "-" + "\((number ?? random.below(1_000_000)) + 1)"
        case .color:
            let digits = String(number ?? random.below(1 << 24), radix: 16, uppercase: true)
            return "#" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
        case .title: return Vocabulary.phrase(2 + random.below(2), &random) + ending
        case .sentence: return Vocabulary.phrase(6 + random.below(10), &random) + "." + ending
        case .words: return Vocabulary.phrase(1 + random.below(2), &random) + ending
        }
    }
}
