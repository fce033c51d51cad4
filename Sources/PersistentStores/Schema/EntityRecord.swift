/// A row of `Z_PRIMARYKEY`: an entity's number, name and parent, and the highest key assigned.
public struct EntityRecord: Sendable, Hashable {
    /// The entity's number, `Z_ENT`.
    public let number: Int
    /// The entity's name.
    public let name: String

    /// The number of the superentity, or 0.
    public let superentityNumber: Int

    /// The highest primary key assigned, kept in the root entity's row; 0 in those of its subentities.
    public let maximumKey: Int64

    /// Makes a row of `Z_PRIMARYKEY`.
    public init(number: Int, name: String, superentityNumber: Int, maximumKey: Int64) {
        self.number = number
        self.name = name
        self.superentityNumber = superentityNumber
        self.maximumKey = maximumKey
    }

    /// The lowest number that is reserved for persistent history and mirroring; these numbers never change
    /// (docs/format/sqlite-store.md#entity-numbers).
    public static let firstSystemNumber = 16000

    /// Whether the entity belongs to persistent history or mirroring.
    public var isSystem: Bool { number > Self.firstSystemNumber }
}
