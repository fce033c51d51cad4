public import ManagedObjectModels

/// The value of any property of an object.
public enum ObjectValue: Equatable {
    /// The value of an attribute.
    case attribute(AttributeValue)
    /// The object of a to-one relationship.
    case object(ManagedObject)
    /// The objects of a to-many relationship or a fetched property, in its order.
    case objects([ManagedObject])
}
