/// A named part of a model, by which its place in the source document is looked up.
public enum ModelElement: Sendable, Hashable {
    case model
    case entity(String)
    /// An attribute, a relationship or a fetched property; an element of a composite, whose name stands for the
    /// entity's.
    case property(String, entity: String)
    /// A uniqueness constraint by its place among those of the entity, from 0.
    case uniquenessConstraint(Int, entity: String)
    case fetchIndex(String, entity: String)
    case composite(String)
    case configuration(String)
    case fetchRequestTemplate(String)
}
