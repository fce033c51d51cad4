import PersistentStores

extension ManagedObjectContext {
    /// Whether the context takes over by itself what other contexts have saved: to the stores of the coordinator, or, in
    /// a child context, to its parent.
    ///
    /// A context belongs to its task, so nothing changes while the task works on objects: the changes are merged, as
    /// `mergeChanges(from:)` does, before the next fetch or count, and by `processPendingChanges()`. A save does not merge
    /// before it writes: what others have changed is a conflict, and the merge policy decides. Other processes are not
    /// heard; their changes are in persistent history, see `followHistory(of:since:exceptAuthor:)`.
    public var automaticallyMergesChangesFromParent: Bool {
        get { savedElsewhere != nil }
        set {
            guard newValue != automaticallyMergesChangesFromParent else { return }
            savedElsewhere = newValue ? SavedElsewhere() : nil
            if parent == nil { coordinator.follow(savedElsewhere) }
        }
    }

    /// Tells those who follow what this context has saved.
    func tellFollowers(_ saved: ContextDidSave) {
        guard let parent else {
            coordinator.tell(saved, except: savedElsewhere)
            return
        }
        for child in parent.children {
            guard let context = child.context, context !== self else { continue }
            context.savedElsewhere?.add(saved)
        }
    }

    /// Takes over what others have saved, unless the context is in the middle of something.
    func mergeSavedElsewhere() throws {
        guard !isSaving, !isAwaking else { return }
        try mergeFollowedHistories()
        guard let savedElsewhere else { return }
        let saved = savedElsewhere.take()
        guard !saved.isEmpty else { return }
        do {
            try mergeChanges(from: saved)
        } catch {
            savedElsewhere.putBack(saved)
            throw error
        }
    }
}
