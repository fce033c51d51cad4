import ManagedObjectModels
public import PersistentStores
import SQLiteAccess

extension ManagedObject {
    // MARK: - Typed

    /// The object that a to-one relationship leads to; setting it sets the inverse as well. Errors are recorded, as
    /// with attributes.
    public final subscript<Destination>(key: ToOneKey<Destination>) -> Destination? {
        get { noting { try object(of: key) } }
        set { noting { try setObject(newValue, of: key) } }
    }

    /// The objects of a to-many relationship, in its order; setting them adds and removes links as needed.
    public final subscript<Destination>(key: ToManyKey<Destination>) -> [Destination] {
        get { noting { try objects(of: key) } ?? [] }
        set { noting { try setObjects(newValue, of: key) } }
    }

    /// Returns the object that a to-one relationship leads to; nil for none.
    /// - Throws: `ManagedObjectError` for an unknown relationship or one that leads to another class, and for an object
    ///   that no longer exists; `StoreError` if the store cannot be read.
    public final func object<Destination>(of key: ToOneKey<Destination>) throws -> Destination? {
        guard let object = try accessing(key.name, { try toOneObject(toOneSlot(key.name)) }) else { return nil }
        guard let typed = object as? Destination else {
            throw mismatch(key.name, "it leads to a \(type(of: object)), not a \(Destination.self)")
        }
        return typed
    }

    /// Sets the object of a to-one relationship, or none, and updates the inverse.
    /// - Throws: `ManagedObjectError` for an unknown relationship, and for a destination of another entity, context or
    ///   store; `StoreError` if the store cannot be read.
    public final func setObject<Destination>(_ object: Destination?, of key: ToOneKey<Destination>) throws {
        try setToOne(toOneSlot(key.name), to: object)
    }

    /// Returns the objects of a to-many relationship, in its order.
    /// - Throws: `ManagedObjectError` for an unknown relationship or one that leads to another class, and for an object
    ///   that no longer exists; `StoreError` if the store cannot be read.
    public final func objects<Destination>(of key: ToManyKey<Destination>) throws -> [Destination] {
        try accessing(key.name) { try toManyObjects(toManySlot(key.name)) }.map { object in
            guard let typed = object as? Destination else {
                throw mismatch(key.name, "it leads to a \(type(of: object)), not a \(Destination.self)")
            }
            return typed
        }
    }

    /// Sets the objects of a to-many relationship.
    /// - Throws: `ManagedObjectError` for an unknown relationship, and for a destination of another entity, context or
    ///   store; `StoreError` if the store cannot be read.
    public final func setObjects<Destination>(_ objects: [Destination], of key: ToManyKey<Destination>) throws {
        try setToMany(toManySlot(key.name), to: objects)
    }

    // MARK: - Changing a to-many relationship

    /// Adds an object to a to-many relationship, at the end if it is ordered; does nothing if it already contains the
    /// object.
    /// - Throws: `ManagedObjectError` for an unknown relationship, and for a destination of another entity, context or
    ///   store; `StoreError` if the store cannot be read.
    public final func add(_ object: ManagedObject, to name: String) throws {
        let slot = try toManySlot(name)
        try check(object, shape.toManys[slot].relationship)
        let context = try requiredContext()
        guard try !context.links(of: self, slot).contains(object.key) else { return }
        try context.link(self, slot, with: object)
    }

    /// Adds an object to a to-many relationship, at the end if it is ordered; does nothing if it already contains the
    /// object.
    /// - Throws: `ManagedObjectError` for an unknown relationship, and for a destination of another entity, context or
    ///   store; `StoreError` if the store cannot be read.
    public final func add<Destination>(_ object: Destination, to key: ToManyKey<Destination>) throws {
        try add(object, to: key.name)
    }

    /// Removes an object from a to-many relationship; does nothing if it does not contain the object.
    /// - Throws: `ManagedObjectError` for an unknown relationship, and for a destination of another entity, context or
    ///   store; `StoreError` if the store cannot be read.
    public final func remove(_ object: ManagedObject, from name: String) throws {
        let slot = try toManySlot(name)
        try check(object, shape.toManys[slot].relationship)
        let context = try requiredContext()
        guard try context.links(of: self, slot).contains(object.key) else { return }
        try context.part(self, slot, from: object)
    }

    /// Removes an object from a to-many relationship; does nothing if it does not contain the object.
    /// - Throws: `ManagedObjectError` for an unknown relationship, and for a destination of another entity, context or
    ///   store; `StoreError` if the store cannot be read.
    public final func remove<Destination>(_ object: Destination, from key: ToManyKey<Destination>) throws {
        try remove(object, from: key.name)
    }

    /// Inserts an object at an index of an ordered relationship, counted from 0, or moves it there.
    /// - Throws: `ManagedObjectError` for an unknown or unordered relationship, for an index out of range, and for a
    ///   destination of another entity, context or store; `StoreError` if the store cannot be read.
    public final func insert(_ object: ManagedObject, into name: String, at index: Int) throws {
        let slot = try toManySlot(name)
        guard shape.toManys[slot].isOrdered else { throw mismatch(name, "it is not ordered") }
        try check(object, shape.toManys[slot].relationship)
        let context = try requiredContext()
        var keys = try context.links(of: self, slot)
        keys.removeAll { $0 == object.key }
        guard index >= 0, index <= keys.count else {
            throw mismatch(name, "it has \(keys.count) other objects, and no place \(index)")
        }
        if try !context.links(of: self, slot).contains(object.key) { try context.link(self, slot, with: object) }
        keys.insert(object.key, at: index)
        context.reorder(self, slot, keys)
    }

    /// Inserts an object at an index of an ordered relationship, counted from 0, or moves it there.
    /// - Throws: `ManagedObjectError` for an unknown or unordered relationship, for an index out of range, and for a
    ///   destination of another entity, context or store; `StoreError` if the store cannot be read.
    public final func insert<Destination>(
        _ object: Destination, into key: ToManyKey<Destination>, at index: Int
    ) throws {
        try insert(object, into: key.name, at: index)
    }

    /// Returns how many objects a to-many relationship leads to.
    /// - Throws: `ManagedObjectError` for an unknown relationship, and for an object that no longer exists;
    ///   `StoreError` if the store cannot be read.
    public final func count(of name: String) throws -> Int {
        try requiredContext().links(of: self, toManySlot(name)).count
    }

    /// Returns the IDs of the objects that a relationship leads to, in its order; without making faults for them.
    /// - Throws: `ManagedObjectError` for an unknown relationship, and for an object that no longer exists;
    ///   `StoreError` if the store cannot be read.
    public final func objectIDs(of name: String) throws -> [ManagedObjectID] {
        let context = try requiredContext()
        let keys: [ObjectKey]
        switch shape.slot(named: name) {
        case .toOne(let slot): keys = try toOneKey(slot).map { [$0] } ?? []
        case .toMany(let slot): keys = try context.links(of: self, slot)
        case nil: throw ManagedObjectError(.propertyUnknown(name, entity: shape.name))
        default: throw mismatch(name, "it is not a relationship")
        }
        return keys.map { key in
            context.registry[key]?.objectID
                ?? context.coordinator.objectID(key, context.model.shapes[Int(key.entity)])
        }
    }

    /// Returns whether the objects of a relationship have not been read from the store yet.
    /// - Throws: `ManagedObjectError` with code `propertyUnknown` if there is no such relationship.
    public final func isRelationshipFault(_ name: String) throws -> Bool {
        switch shape.slot(named: name) {
        case .toOne: return isFault
        case .toMany(let slot): return state?.toManys[slot]?.base == nil
        default: throw ManagedObjectError(.propertyUnknown(name, entity: shape.name))
        }
    }

    // MARK: - Slots

    final func toOneSlot(_ name: String) throws(ManagedObjectError) -> Int {
        switch shape.slot(named: name) {
        case .toOne(let slot): return slot
        case nil: throw ManagedObjectError(.propertyUnknown(name, entity: shape.name))
        default: throw mismatch(name, "it is not a to-one relationship")
        }
    }

    final func toManySlot(_ name: String) throws(ManagedObjectError) -> Int {
        switch shape.slot(named: name) {
        case .toMany(let slot): return slot
        case nil: throw ManagedObjectError(.propertyUnknown(name, entity: shape.name))
        default: throw mismatch(name, "it is not a to-many relationship")
        }
    }

    final func toOneObject(_ slot: Int) throws -> ManagedObject? {
        guard let key = try toOneKey(slot) else { return nil }
        return try requiredContext().object(key)
    }

    final func toManyObjects(_ slot: Int) throws -> [ManagedObject] {
        let context = try requiredContext()
        return try context.links(of: self, slot).map { context.object($0) }
    }

    final func setToOne(_ slot: Int, to object: ManagedObject?) throws {
        if let object { try check(object, shape.toOnes[slot].relationship) }
        let context = try requiredContext()
        try context.realize(self)
        try context.setToOne(self, slot, to: object)
    }

    final func setToMany(_ slot: Int, to objects: [ManagedObject]) throws {
        for object in objects { try check(object, shape.toManys[slot].relationship) }
        let context = try requiredContext()
        let old = try context.links(of: self, slot)
        let new = KeyList(objects.map(\.key))
        for key in old where !new.contains(key) { try context.part(self, slot, from: context.object(key)) }
        let kept = Set(old)
        for object in objects where !kept.contains(object.key) {
            if try !context.links(of: self, slot).contains(object.key) { try context.link(self, slot, with: object) }
        }
        if shape.toManys[slot].isOrdered { context.reorder(self, slot, new.keys) }
    }

    /// Returns the key of a to-one relationship's destination in the context.
    final func toOneKey(_ slot: Int) throws -> ObjectKey? {
        if !flags.contains(.realized) {
            try requiredContext().realize(self, reading: shape.toOnes[slot].position.map { $0..<($0 + 2) })
        }
        if let pending = state?.toOnes[slot] { return pending }
        return storedToOne(slot)
    }

    /// Returns the key of a to-one relationship's destination in the row.
    final func storedToOne(_ slot: Int) -> ObjectKey? {
        let toOne = shape.toOnes[slot]
        guard let position = toOne.position, let block, let context = managedObjectContext else { return nil }
        let positions = position..<(position + 2)
        if !block.hasRead(positions) { noting { try context.source.load(block, positions) } }
        guard block.hasRead(positions), block.has(Int(row)),
            case .integer(let key) = block.value(Int(row), position)
        else { return nil }
        var entity = toOne.destination
        var store = context.model.store(of: block.table)
        if case .integer(let place) = block.value(Int(row), position + 1) {
            let slot = Int(place & 0xffff_ffff)
            if context.model.shapes.indices.contains(slot) { entity = slot }
            // Rows from a parent also contain the number of the store.
            if place >> 32 > 0 { store = Int(place >> 32) - 1 }
        }
        return ObjectKey(
            table: context.model.table(ofEntity: entity, store: store), entity: Int32(truncatingIfNeeded: entity),
            key: key)
    }

    /// Sets the destination of a to-one relationship without updating anything else.
    final func write(toOne slot: Int, _ key: ObjectKey?) {
        if block != nil, shape.toOnes[slot].position != nil, storedToOne(slot) == key {
            state?.toOnes[slot] = nil
        } else {
            changing().toOnes[slot] = .some(key)
        }
    }

    private func check(_ object: ManagedObject, _ relationship: ResolvedRelationship) throws(ManagedObjectError) {
        let context = try requiredContext()
        guard object.managedObjectContext === context else { throw ManagedObjectError(.foreignObject(object.objectID)) }
        guard context.model.resolved.isKind(object.shape.entity.slot, of: relationship.destination) else {
            throw ManagedObjectError(
                .destinationMismatch(relationship.name, entity: shape.name, found: object.shape.name))
        }
    }
}
