public import ManagedObjectModels

extension ManagedObject {
    // MARK: - Typed

    /// The value of an attribute. A fault gets its values first.
    ///
    /// Where that fails, there is none, and the context has an `accessError`; `value(of:)` throws it instead. A value
    /// that cannot be set leaves the object as it is, and is such an error, too.
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

    /// The value of an attribute; nil for none.
    /// - Throws: `ManagedObjectError` for a property that is not there, of another type, or of an object that is gone;
    ///   `StoreError` if the store cannot be read.
    @inlinable
    public final func value<Value: AttributeRepresentable>(of key: AttributeKey<Value>) throws -> Value? {
        guard let stored = try value(ofAttribute: key.name) else { return nil }
        guard let value = Value(stored) else { throw mismatch(key.name, Value.self) }
        return value
    }

    /// What is not generic of reading a value, so that the rest becomes part of the program.
    @usableFromInline
    final func value(ofAttribute name: String) throws -> AttributeValue? {
        // Objects that hear of accesses have no names here: others need not be asked.
        if let slot = home._withUnsafeGuaranteedRef({ $0.slots.slot(of: name) }) { return try currentValue(slot) }
        return try accessing(name) { try currentValue(attributeSlot(name)) }
    }

    /// Reads a property, and has an object that observes that hear of it.
    final func accessing<Result>(_ name: String, _ body: () throws -> Result) rethrows -> Result {
        guard place.observesAccess else { return try body() }
        willAccessValue(forKey: name)
        defer { didAccessValue(forKey: name) }
        return try body()
    }

    /// Changes a property, and has an object that observes that hear of it.
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

    /// Notes the error of an access that cannot throw.
    @usableFromInline
    final func note(_ error: any Error) { managedObjectContext?.note(error) }

    /// Sets an attribute; nil takes the value away.
    /// - Throws: `ManagedObjectError` for a property that is not there, a value that its type cannot hold, or an object
    ///   that is gone; `StoreError` if the store cannot be read.
    @inlinable
    public final func setValue<Value: AttributeRepresentable>(_ value: Value?, of key: AttributeKey<Value>) throws {
        try setValue(value?.attributeValue, forAttribute: key.name)
    }

    // MARK: - By name

    /// The value of a property; nil for none.
    ///
    /// - Throws: `ManagedObjectError` for a property that is not there, or of an object that is gone; `FetchError` of a
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

    /// Sets a property of any kind; the inverse of a relationship follows.
    /// - Throws: `ManagedObjectError` for a property that is not there or cannot be set, and for a value that does not
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

    /// The value of an attribute, as `value(forKey:)` gives it; nil for none.
    /// - Throws: `ManagedObjectError` for an attribute that is not there, or an object that is gone; `StoreError` if
    ///   the store cannot be read.
    public final func primitiveValue(forKey name: String) throws -> AttributeValue? {
        try currentValue(attributeSlot(name))
    }

    /// Sets an attribute without saying that the object has changed: no undo, no notification. If the object is saved
    /// for another reason, so is the value.
    /// - Throws: `ManagedObjectError` for an attribute that is not there, a value that its type cannot hold, or an
    ///   object that is gone; `StoreError` if the store cannot be read.
    public final func setPrimitiveValue(_ value: AttributeValue?, forKey name: String) throws {
        let slot = try attributeSlot(name)
        let type = shape.attributes[slot].attribute.type
        let adapted = value.map { StoredForm.adapted($0, to: type) }
        if let adapted, let refusal = StoredForm.refusal(adapted, as: type) { throw mismatch(name, refusal) }
        try requiredContext().realize(self)
        write(slot, adapted)
    }

    // MARK: - What has changed

    /// The attributes and relationships whose values differ from those of the store; of a new object, all that have
    /// one.
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

    /// The values that `changedKeys` names, as they are in the context; a value of nil is one that was taken away.
    /// - Throws: `ManagedObjectError` for an object that is gone; `StoreError` if the store cannot be read.
    public final func changedValues() throws -> [String: ObjectValue?] {
        var values: [String: ObjectValue?] = [:]
        for name in changedKeys { values[name] = .some(try value(forKey: name)) }
        return values
    }

    /// Whether a save would write other values than the store has: an object counts as updated although all of its
    /// changes were taken back, or are in attributes that are not stored.
    public final var hasPersistentChangedValues: Bool { !changedKeys.isEmpty }

    /// The values of attributes as the store had them when the object was read or saved last; nil for none.
    /// - Throws: `ManagedObjectError` for an attribute that is not there, or an object that is gone; `StoreError` if
    ///   the store cannot be read.
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

    /// The value that the object has in its context.
    final func currentValue(_ slot: Int) throws -> AttributeValue? {
        if let found = try valueInMemory(slot) { return found }
        if !flags.contains(.realized) {
            try requiredContext().realize(self, reading: shape.attributes[slot].position.map { $0..<($0 + 1) })
        }
        if let state, let pending = state.attributes[slot] { return pending }
        return try storedValue(slot)
    }

    /// The value of an object without changes, as its row in memory has it; nil if there is more to do, or no value.
    ///
    /// To hold the context takes as long as all of this: nothing here asks for it.
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

    /// The value of the row.
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

    /// Makes a value the object's, where it differs from the row's.
    final func write(_ slot: Int, _ value: AttributeValue?) {
        if isStored(slot, value) {
            state?.attributes[slot] = nil
        } else {
            changing().attributes[slot] = .some(value)
        }
    }

    /// Whether the row has the value.
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

    /// The result of an access that cannot throw; its error waits at the context.
    final func noting<Result>(_ body: () throws -> Result?) -> Result? {
        do {
            return try body()
        } catch {
            note(error)
            return nil
        }
    }
}
