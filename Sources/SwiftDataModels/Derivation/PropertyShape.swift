import ManagedObjectModels

/// What SwiftData stores a Swift type as.
indirect enum PropertyShape: Sendable, Hashable {
    case plain(AttributeType)
    /// A keyed archive, with the class of the value as SwiftData writes it.
    case transformable(valueClass: String?)
    /// One column for each element; `isEnum` for an enumeration.
    case composite([AttributeDescription], isEnum: Bool)
    /// The place of the class among the declarations.
    case toOne(Int)
    case toMany(Int)
    case unknown
}
