import PersistentStores

extension ManagedObjectContext {
    /// Whether the context automatically merges what other contexts save to the stores of the coordinator or, for a
    /// child context, to its parent.
    ///
    /// A context is confined to its task, so nothing changes while the task uses objects: the changes are merged, as by
    /// `mergeChanges(from:)`, before the next fetch or count, and by `processPendingChanges()`. A save does not merge
    /// before it writes: changes of others are conflicts, for which the merge policy decides. Changes by other
    /// processes are not noticed; they are in persistent history, see `followHistory(of:since:exceptAuthor:)`.
    public var automaticallyMergesChangesFromParent: Bool {
        get { savedElsewhere != nil }
        set {
            guard newValue != automaticallyMergesChangesFromParent else { return }
            savedElsewhere = newValue ? SavedElsewhere() : nil
            if parent == nil { coordinator.follow(savedElsewhere) }
        }
    }

    /// Notifies the followers of what this context has saved.
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

    /// Merges what others have saved, unless another operation of the context is in progress.
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
