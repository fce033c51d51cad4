/// What is special about an object, so that a store has ordinary values and those at the edges.
enum RowKind: Sendable {
    case ordinary
    /// The smallest numbers, the earliest dates, the shortest texts.
    case least
    /// The largest numbers, the latest dates, long texts, binary data in files.
    case greatest
    /// Texts that are not ASCII.
    case foreign
    /// The model's defaults.
    case defaults
    /// No value where that is allowed.
    case sparse

    /// Of sixteen objects of an entity five are special; the first is ordinary.
    init(number: Int) {
        switch number % 16 {
        case 1: self = .least
        case 2: self = .greatest
        case 3: self = .foreign
        case 4: self = .defaults
        case 5: self = .sparse
        default: self = .ordinary
        }
    }
}
