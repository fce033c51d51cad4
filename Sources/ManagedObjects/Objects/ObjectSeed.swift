/// What a context makes an object of; only contexts have one.
public struct ObjectSeed {
    let shape: EntityShape
    let key: ObjectKey
    let link: ContextLink
}
