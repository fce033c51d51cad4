import ManagedObjectModels

/// The form in which SwiftData stores a Swift type.
indirect enum PropertyShape: Sendable, Hashable {
    case plain(AttributeType)
    /// A keyed archive, with the class of the value as written by SwiftData.
    case transformable(valueClass: String?)
    /// One column for each element; `isEnum` for an enumeration.
    case composite([AttributeDescription], isEnum: Bool)
    /// The index of the class among the declarations.
    case toOne(Int)
    case toMany(Int)
    case unknown
}
