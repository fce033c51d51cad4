/// The kind of an object, so that a store has ordinary values as well as edge cases.
enum RowKind: Sendable {
    case ordinary
    /// The smallest numbers, the earliest dates, the shortest texts.
    case least
    /// The largest numbers, the latest dates, long texts, binary data in files.
    case greatest
    /// Texts with characters outside ASCII.
    case foreign
    /// The model's defaults.
    case defaults
    /// NULL where that is allowed.
    case sparse

    /// Of every sixteen objects of an entity, five are special; the first one is ordinary.
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
