/// How the objects of a context find it, and leave it. It is made once for all of them: a weak reference in each would
/// cost as much as the rest of an object.
final class ContextLink {
    /// nil once the context is gone, which says so itself: a weak reference takes longer to follow.
    @exclusivity(unchecked) unowned var context: ManagedObjectContext?
    let registry = Registry()
}
