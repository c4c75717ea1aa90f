"""A PettingZoo environment, played at random (extra `envs`)."""

import numpy as np

from kibitz.envs import aec_env

env = aec_env("othello")
env.reset(seed=1)
chance = np.random.default_rng(1)
for agent in env.agent_iter():
    seen, reward, termination, truncation, _ = env.last()
    if termination or truncation:
        print(agent, reward)
        env.step(None)
    else:
        env.step(int(chance.choice(np.flatnonzero(seen["action_mask"]))))
