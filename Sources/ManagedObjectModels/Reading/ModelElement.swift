/// A named part of a model, by which its place in the source document is looked up.
public enum ModelElement: Sendable, Hashable {
    /// The model itself.
    case model
    /// An entity, by its name.
    case entity(String)
    /// An attribute, a relationship or a fetched property; an element of a composite, whose name stands for the
    /// entity's.
    case property(String, entity: String)
    /// A uniqueness constraint by its place among those of the entity, from 0.
    case uniquenessConstraint(Int, entity: String)
    /// An index of an entity, by its name.
    case fetchIndex(String, entity: String)
    /// A composite, by its name.
    case composite(String)
    /// A configuration, by its name.
    case configuration(String)
    /// A fetch request template, by its name.
    case fetchRequestTemplate(String)
}
