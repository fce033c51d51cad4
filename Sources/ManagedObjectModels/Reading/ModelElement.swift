/// A named part of a model, for looking up its location in the source document.
public enum ModelElement: Sendable, Hashable {
    /// The model itself.
    case model
    /// An entity, by its name.
    case entity(String)
    /// An attribute, a relationship or a fetched property; or an element of a composite, with the composite's name
    /// instead of the entity's.
    case property(String, entity: String)
    /// A uniqueness constraint, by its position among those of the entity, counted from 0.
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
