import ManagedObjectModels

/// The state of an object besides its row: changed values, transient values, and relationships that were read.
final class ObjectState {
    var attributes = SlotMap<AttributeValue?>()
    var toOnes = SlotMap<ObjectKey?>()
    var toManys = SlotMap<ToManyState>()
}
