/// How the objects of a context find it, and leave it. It is made once for all of them: a weak reference in each would
/// cost as much as the rest of an object.
final class ContextLink {
    /// nil once the context is gone, which says so itself before anything else: a weak reference takes longer to follow,
    /// and one that counts as well.
    @exclusivity(unchecked) unowned(unsafe) var context: ManagedObjectContext?
    let registry = Registry()
}
