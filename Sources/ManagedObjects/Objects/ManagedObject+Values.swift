public import ManagedObjectModels

extension ManagedObject {
    // MARK: - Typed

    /// The value of an attribute. A fault is filled first.
    ///
    /// If that fails, the value is nil, and the context records an `accessError`, which `value(of:)` would throw. An
    /// attempt to set an invalid value leaves the object unchanged, and is recorded in the same way.
    @inlinable
    public final subscript<Value: AttributeRepresentable>(key: AttributeKey<Value>) -> Value? {
        get {
            do {
                return try value(of: key)
            } catch {
                note(error)
                return nil
            }
        }
        set {
            do {
                try setValue(newValue, of: key)
            } catch {
                note(error)
            }
        }
    }

    /// Returns the value of an attribute; nil for none.
    /// - Throws: `ManagedObjectError` for a property that is unknown or of another type, or for an object that no
    ///   longer exists; `StoreError` if the store cannot be read.
    @inlinable
    public final func value<Value: AttributeRepresentable>(of key: AttributeKey<Value>) throws -> Value? {
        guard let stored = try value(ofAttribute: key.name) else { return nil }
        guard let value = Value(stored) else { throw mismatch(key.name, Value.self) }
        return value
    }

    /// Reads a value; this part is not generic, so that the generic part can be inlined into the program.
    @usableFromInline
    final func value(ofAttribute name: String) throws -> AttributeValue? {
        // Objects that observe accesses have no names in this cache, so this path needs no check for them.
        if let slot = home._withUnsafeGuaranteedRef({ $0.slots.slot(of: name) }) { return try currentValue(slot) }
        return try accessing(name) { try currentValue(attributeSlot(name)) }
    }

    /// Reads a property, and calls the access hooks of an object that observes.
    final func accessing<Result>(_ name: String, _ body: () throws -> Result) rethrows -> Result {
        guard place.observesAccess else { return try body() }
        willAccessValue(forKey: name)
        defer { didAccessValue(forKey: name) }
        return try body()
    }

    /// Changes a property, and calls the change hooks of an object that observes.
    final func changing(_ name: @autoclosure () -> String, _ body: () -> Void) {
        guard place.observesAccess else { return body() }
        let name = name()
        willChangeValue(forKey: name)
        body()
        didChangeValue(forKey: name)
    }

    @usableFromInline
    final func mismatch(_ name: String, _ type: Any.Type) -> ManagedObjectError {
        mismatch(name, "its values are not \(type)")
    }

    /// Records the error of an access that cannot throw.
    @usableFromInline
    final func note(_ error: any Error) { managedObjectContext?.note(error) }

    /// Sets an attribute; nil removes its value.
    /// - Throws: `ManagedObjectError` for an unknown property, a value that its type cannot hold, or an object that no
    ///   longer exists; `StoreError` if the store cannot be read.
    @inlinable
    public final func setValue<Value: AttributeRepresentable>(_ value: Value?, of key: AttributeKey<Value>) throws {
        try setValue(value?.attributeValue, forAttribute: key.name)
    }

    // MARK: - By name

    /// Returns the value of a property; nil for none.
    ///
    /// - Throws: `ManagedObjectError` for an unknown property, or an object that no longer exists; `FetchError` for a
    ///   fetched property; `StoreError` if the store cannot be read.
    public final func value(forKey name: String) throws -> ObjectValue? {
        try accessing(name) {
            switch shape.slot(named: name) {
            case .attribute(let slot): return try currentValue(slot).map { .attribute($0) }
            case .toOne(let slot): return try toOneObject(slot).map { .object($0) }
            case .toMany(let slot): return .objects(try toManyObjects(slot))
            case .fetched(let slot): return .objects(try requiredContext().fetch(shape.fetched[slot], of: self))
            case nil: throw ManagedObjectError(.propertyUnknown(name, entity: shape.name))
            }
        }
    }

    /// Sets a property of any kind; for a relationship, updates the inverse.
    /// - Throws: `ManagedObjectError` for a property that is unknown or cannot be set, and for a value that does not
    ///   fit it; `StoreError` if the store cannot be read.
    public final func setValue(_ value: ObjectValue?, forKey name: String) throws {
        switch (shape.slot(named: name), value) {
        case (.attribute, nil): try setValue(nil, forAttribute: name)
        case (.attribute, .attribute(let value)): try setValue(value, forAttribute: name)
        case (.toOne(let slot), nil): try setToOne(slot, to: nil)
        case (.toOne(let slot), .object(let object)): try setToOne(slot, to: object)
        case (.toMany(let slot), nil): try setToMany(slot, to: [])
        case (.toMany(let slot), .objects(let objects)): try setToMany(slot, to: objects)
        case (.fetched, _): throw ManagedObjectError(.notSettable(name, entity: shape.name))
        case (nil, _): throw ManagedObjectError(.propertyUnknown(name, entity: shape.name))
        default: throw mismatch(name, "the value is of another kind than the property")
        }
    }

    @usableFromInline
    final func setValue(_ value: AttributeValue?, forAttribute name: String) throws {
        let slot = try attributeSlot(name)
        let attribute = shape.attributes[slot].attribute
        guard !attribute.isDerived else { throw ManagedObjectError(.notSettable(name, entity: shape.name)) }
        let adapted = value.map { StoredForm.adapted($0, to: attribute.type) }
        if let adapted, let refusal = StoredForm.refusal(adapted, as: attribute.type) { throw mismatch(name, refusal) }
        let context = try requiredContext()
        try context.realize(self)
        context.setAttribute(self, slot, to: adapted)
    }

    // MARK: - Primitive

    /// Returns the value of an attribute, as `value(forKey:)` does, without calling access hooks; nil for none.
    /// - Throws: `ManagedObjectError` for an unknown attribute, or an object that no longer exists; `StoreError` if the
    ///   store cannot be read.
    public final func primitiveValue(forKey name: String) throws -> AttributeValue? {
        try currentValue(attributeSlot(name))
    }

    /// Sets an attribute without marking the object as changed: no undo, no notification. The value is saved if the
    /// object is saved for another reason.
    /// - Throws: `ManagedObjectError` for an unknown attribute, a value that its type cannot hold, or an object that no
    ///   longer exists; `StoreError` if the store cannot be read.
    public final func setPrimitiveValue(_ value: AttributeValue?, forKey name: String) throws {
        let slot = try attributeSlot(name)
        let type = shape.attributes[slot].attribute.type
        let adapted = value.map { StoredForm.adapted($0, to: type) }
        if let adapted, let refusal = StoredForm.refusal(adapted, as: type) { throw mismatch(name, refusal) }
        try requiredContext().realize(self)
        write(slot, adapted)
    }

    // MARK: - What has changed

    /// The attributes and relationships whose values differ from those in the store; for a new object, all that have a
    /// value.
    public final var changedKeys: [String] {
        guard let state else { return [] }
        var names: [String] = []
        for (slot, value) in state.attributes.entries where shape.attributes[slot].position != nil {
            if !isInserted || value != nil { names.append(shape.attributes[slot].attribute.name) }
        }
        for (slot, _) in state.toOnes.entries where !shape.toOnes[slot].isOwner {
            names.append(shape.toOnes[slot].relationship.name)
        }
        for (slot, links) in state.toManys.entries where links.isChanged {
            names.append(shape.toManys[slot].relationship.name)
        }
        return names.sorted()
    }

    /// Returns the current values of the properties in `changedKeys`; nil means that a value was removed.
    /// - Throws: `ManagedObjectError` for an object that no longer exists; `StoreError` if the store cannot be read.
    public final func changedValues() throws -> [String: ObjectValue?] {
        var values: [String: ObjectValue?] = [:]
        for name in changedKeys { values[name] = .some(try value(forKey: name)) }
        return values
    }

    /// Whether a save would write values that differ from the store's. An object also counts as updated if all its
    /// changes were undone, or are in attributes that are not stored.
    public final var hasPersistentChangedValues: Bool { !changedKeys.isEmpty }

    /// Returns the values of attributes as last read from or saved to the store; nil for none.
    /// - Throws: `ManagedObjectError` for an unknown attribute, or an object that no longer exists; `StoreError` if the
    ///   store cannot be read.
    public final func committedValue(forKey name: String) throws -> AttributeValue? {
        let slot = try attributeSlot(name)
        try requiredContext().realize(self)
        return try storedValue(slot)
    }

    // MARK: - Slots

    final func attributeSlot(_ name: String) throws(ManagedObjectError) -> Int {
        if let known = place.slots.slot(of: name) { return known }
        switch shape.slot(named: name) {
        case .attribute(let slot):
            if !place.observesAccess { place.slots.note(slot, of: name) }
            return slot
        case nil: throw ManagedObjectError(.propertyUnknown(name, entity: shape.name))
        default: throw mismatch(name, "it is not an attribute")
        }
    }

    /// Returns the current value in the context.
    final func currentValue(_ slot: Int) throws -> AttributeValue? {
        if let found = try valueInMemory(slot) { return found }
        if !flags.contains(.realized) {
            try requiredContext().realize(self, reading: shape.attributes[slot].position.map { $0..<($0 + 1) })
        }
        if let state, let pending = state.attributes[slot] { return pending }
        return try storedValue(slot)
    }

    /// Returns the value of an unchanged object from its row in memory; nil if a slower path is needed, or there is no
    /// value.
    ///
    /// Retaining the context would take as long as all the rest, so the context is not used here.
    private func valueInMemory(_ slot: Int) throws -> AttributeValue? {
        guard state == nil, !flags.contains(.gone), let heldBlock else { return nil }
        let value = try home._withUnsafeGuaranteedRef { place -> AttributeValue? in
            guard place.isPlain || flags.contains(.realized) else { return nil }
            let form = place.shape.attributes[slot].form
            guard let position = place.shape.attributes[slot].position, !form.isExternal else { return nil }
            let read = try heldBlock._withUnsafeGuaranteedRef { try $0.read(Int(row), position, form, nil) }
            if case .value(let value) = read { return value }
            return nil
        }
        guard let value else { return nil }
        flags.insert(.realized)
        return value
    }

    /// Returns the value in the row.
    final func storedValue(_ slot: Int) throws -> AttributeValue? {
        guard let position = shape.attributes[slot].position, let block else { return nil }
        let form = shape.attributes[slot].form
        let files = form.isExternal ? managedObjectContext?.source.files(of: key) : nil
        var found = try block.read(Int(row), position, form, files)
        if case .unread = found {
            try managedObjectContext?.source.load(block, position..<(position + 1))
            found = try block.read(Int(row), position, form, files)
        }
        guard case .value(let value) = found else { throw ManagedObjectError(.objectNotFound(objectID)) }
        return value
    }

    /// Sets a value as a change if it differs from the row's.
    final func write(_ slot: Int, _ value: AttributeValue?) {
        if isStored(slot, value) {
            state?.attributes[slot] = nil
        } else {
            changing().attributes[slot] = .some(value)
        }
    }

    /// Returns whether the row has the value.
    private func isStored(_ slot: Int, _ value: AttributeValue?) -> Bool {
        guard shape.attributes[slot].position != nil, block != nil else { return false }
        do {
            return try storedValue(slot) == value
        } catch {
            return false
        }
    }

    final func changing() -> ObjectState {
        if let state { return state }
        let state = ObjectState()
        self.state = state
        return state
    }

    final func requiredContext() throws(ManagedObjectError) -> ManagedObjectContext {
        guard let managedObjectContext else { throw ManagedObjectError(.contextMissing(entity: shape.name)) }
        return managedObjectContext
    }

    final func mismatch(_ name: String, _ reason: String) -> ManagedObjectError {
        ManagedObjectError(.valueMismatch(name, entity: shape.name, reason: reason))
    }

    /// Returns the result of an access that cannot throw; records its error in the context.
    final func noting<Result>(_ body: () throws -> Result?) -> Result? {
        do {
            return try body()
        } catch {
            note(error)
            return nil
        }
    }
}
