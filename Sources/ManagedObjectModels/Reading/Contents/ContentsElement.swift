/// The elements of a source model.
enum ContentsElement: String {
    case model
    case entity
    case attribute
    case relationship
    case fetchedProperty
    case fetchRequest
    case userInfo
    case entry
    case compoundIndexes
    case compoundIndex
    case index
    case fetchIndex
    case fetchIndexElement
    case uniquenessConstraints
    case uniquenessConstraint
    case constraint
    case configuration
    case memberEntity
    case composite
    case elements
    case element
}
