/// The words and names from which texts are generated.
enum Vocabulary {
    static let words = [
        "amber", "anchor", "autumn", "basket", "bridge", "candle", "cedar", "cloud", "copper", "coral", "crystal",
        "dawn", "delta", "ember", "falcon", "feather", "forest", "garden", "glacier", "harbour", "harvest", "horizon",
        "island", "ivory", "juniper", "lantern", "lemon", "maple", "marble", "meadow", "mirror", "mountain", "ocean",
        "olive", "orchard", "paper", "pepper", "planet", "quartz", "raven", "ribbon", "river", "saffron", "shadow",
        "silver", "spring", "stone", "summer", "thunder", "timber", "valley", "velvet", "violet", "walnut", "willow",
        "window", "winter", "yellow",
    ]

    static let firstNames = [
        "Ada", "Alan", "Amira", "Anna", "Ben", "Carla", "Chen", "Clara", "David", "Elena", "Emil", "Fatima", "Grace",
        "Hugo", "Ida", "Ivan", "Jonas", "Julia", "Kenji", "Lena", "Lucas", "Maria", "Marta", "Nadia", "Noah", "Omar",
        "Paula", "Priya", "Rosa", "Samuel", "Sofia", "Theo", "Uma", "Victor", "Wanda", "Yara",
    ]

    static let lastNames = [
        "Adams", "Becker", "Berg", "Castillo", "Diaz", "Eriksen", "Fischer", "Garcia", "Hansen", "Ito", "Jensen",
        "Keller", "Khan", "Larsen", "Lopez", "Meyer", "Moreau", "Nakamura", "Novak", "Okafor", "Olsen", "Patel",
        "Quinn", "Rossi", "Sato", "Schmidt", "Silva", "Tanaka", "Torres", "Vogel", "Weber", "Young",
    ]

    static let cities = [
        "Athens", "Bergen", "Berlin", "Bogota", "Boston", "Cairo", "Dublin", "Geneva", "Hamburg", "Helsinki", "Kyoto",
        "Lagos", "Lima", "Lisbon", "London", "Lyon", "Madrid", "Mumbai", "Nairobi", "Oslo", "Porto", "Prague",
        "Quito", "Rome", "Seoul", "Sydney", "Tokyo", "Turin", "Vienna", "Warsaw",
    ]

    static let countries = [
        "Argentina", "Austria", "Brazil", "Canada", "Chile", "Denmark", "Egypt", "Finland", "France", "Germany",
        "Ghana", "India", "Ireland", "Italy", "Japan", "Kenya", "Mexico", "Norway", "Peru", "Poland", "Portugal",
        "Spain", "Sweden", "Vietnam",
    ]

    /// Letters with accents, composed and decomposed, other scripts, right-to-left text, and characters outside the
    /// basic plane.
    static let foreignTexts = [
        "Zoë Åkerlund", "Ελένη Παππά", "東京タワー", "Ñandú señor", "Привет мир", "שלום", "cafe\u{301} e\u{300}",
        "😀 Ωmega 𝒳", "İstanbul ışık", "Straße ß ﬁn",
    ]

    static func capitalized(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }

    /// Returns words such as `Amber river stone`.
    static func phrase(_ count: Int, _ random: inout SeededNumbers) -> String {
        capitalized((0..<max(1, count)).map { _ in random.pick(words) }.joined(separator: " "))
    }
}
