public import ManagedObjectModels

/// The value of any property of an object.
public enum ObjectValue: Equatable {
    case attribute(AttributeValue)
    case object(ManagedObject)
    /// Of a to-many relationship or a fetched property, in its order.
    case objects([ManagedObject])
}
