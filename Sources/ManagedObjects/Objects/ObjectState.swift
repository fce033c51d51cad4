import ManagedObjectModels

/// What an object has beside its row: changed values, values that are not stored, and relationships that were read.
final class ObjectState {
    var attributes = SlotMap<AttributeValue?>()
    var toOnes = SlotMap<ObjectKey?>()
    var toManys = SlotMap<ToManyState>()
}
