/// How the objects of a context find it. It is made once for all of them: a weak reference in each would cost as much as
/// the rest of an object.
final class ContextLink {
    weak var context: ManagedObjectContext?
}
